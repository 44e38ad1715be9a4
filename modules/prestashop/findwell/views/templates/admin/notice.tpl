{foreach $findwell.shops as $shop}<div class="alert alert-warning"><p><strong>Findwell{if $shop.name} · {$shop.name|escape:'htmlall':'UTF-8'}{/if}</strong></p>
{include file='module:findwell/views/templates/admin/trouble.tpl' trouble=$shop}
<p><a href="{$findwell.settings|escape:'htmlall':'UTF-8'}">{l s='Settings of the search' d='Modules.Findwell.Admin'}</a></p></div>{/foreach}
