<?php

/**
 * Findwell: the address that cron calls; it works in maintenance, and wherever the caller is.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

use Findwell\Core\Web\CronRequest;
use Findwell\Platform\CronJob;
use Findwell\Platform\JsonResponse;
use Findwell\Platform\Log;
use Findwell\Platform\Settings;

if (!defined('_PS_VERSION_')) {
    exit;
}

class FindwellCronModuleFrontController extends ModuleFrontController
{
    public $display_header = false;
    public $display_footer = false;

    protected function displayMaintenancePage()
    {
    }

    protected function displayRestrictedCountryPage()
    {
    }

    public function postProcess()
    {
        JsonResponse::releaseSession();
        set_time_limit(0);
        ignore_user_abort(true);
        $started = microtime(true);
        $shop = (int) $this->context->shop->id;
        if (!CronRequest::mayCall(Tools::getValue('token'), (string) Settings::of($shop)->get('cron_token'))) {
            JsonResponse::send(403, ['success' => false, 'message' => 'invalid token']);
            exit;
        }
        try {
            $request = CronRequest::parse(Tools::getValue('what'), Tools::getValue('fresh'));
            $report = (new CronJob($this->module))->run($shop, $request);
            $isFresh = $request->mode === 'fresh';
            JsonResponse::send($report->httpStatus, $report->body($request->what, $isFresh, microtime(true) - $started));
        } catch (InvalidArgumentException $error) {
            JsonResponse::send(400, ['success' => false, 'message' => $error->getMessage()]);
        } catch (Throwable $failure) {
            Log::failure($failure);
            JsonResponse::send(500, ['success' => false, 'message' => 'the call failed; see the log of the shop']);
        }
        exit;
    }
}
