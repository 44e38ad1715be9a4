<?php

/**
 * Findwell: stub of the platform for tests: an object that fires its hooks; tests write the tables themselves.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class ObjectModel
{
    public $id;

    public function __construct($id = null, $id_lang = null, $id_shop = null)
    {
        $this->id = $id === null ? null : (int) $id;
    }

    public function add($auto_date = true, $null_values = false)
    {
        return $this->fire('Add');
    }

    public function update($null_values = false)
    {
        return $this->fire('Update');
    }

    public function delete()
    {
        return $this->fire('Delete');
    }

    private function fire(string $event): bool
    {
        $class = get_class($this);
        Hook::exec("actionObject{$class}{$event}Before", ['object' => $this]);
        Hook::exec("actionObject{$class}{$event}After", ['object' => $this]);

        return true;
    }
}
