{extends file='page.tpl'}
{block name='page_title'}{l s='Search test' d='Modules.Findwell.Shop'}{/block}
{block name='page_content'}
  <p>Findwell {$findwell.version|escape:'htmlall':'UTF-8'}, {$findwell.platform|escape:'htmlall':'UTF-8'}</p>
  {include file='module:findwell/views/templates/hook/box.tpl'}
  <h2>{l s='Last pass' d='Modules.Findwell.Shop'}</h2>
  <table class="table"><thead><tr><th>{l s='Type' d='Modules.Findwell.Shop'}</th><th>{l s='Documents' d='Modules.Findwell.Shop'}</th><th>{l s='Finished' d='Modules.Findwell.Shop'}</th></tr></thead><tbody>
  {foreach $findwell.passes as $type => $pass}
    <tr><th>{include file='module:findwell/views/templates/front/type.tpl' type=$type}</th><td>{$pass.documents|intval}</td><td>{if $pass.finished}{$pass.finished|escape:'htmlall':'UTF-8'}{else}{l s='never' d='Modules.Findwell.Shop'}{/if}</td></tr>
  {/foreach}
  </tbody></table>
  {if $findwell.queue}<p>{l s='Changes that wait to be sent:' d='Modules.Findwell.Shop'} {$findwell.queue|intval}</p>{/if}
  <h2>{l s='Visitor' d='Modules.Findwell.Shop'}</h2>
  <p>{l s='This is how the shop sees you; the search uses the same currency, country and group where they were declared.' d='Modules.Findwell.Shop'}</p>
  <table class="table"><thead><tr><th>{l s='Who' d='Modules.Findwell.Shop'}</th><th>{l s='Language' d='Modules.Findwell.Shop'}</th><th>{l s='Currency' d='Modules.Findwell.Shop'}</th><th>{l s='Country' d='Modules.Findwell.Shop'}</th><th>{l s='Group of the prices' d='Modules.Findwell.Shop'}</th><th>{l s='Groups' d='Modules.Findwell.Shop'}</th></tr></thead><tbody>
    <tr><th>{l s='You' d='Modules.Findwell.Shop'}</th><td>{$findwell.visitor.language|escape:'htmlall':'UTF-8'}</td><td>{$findwell.visitor.currency|escape:'htmlall':'UTF-8'}</td><td>{$findwell.visitor.country|escape:'htmlall':'UTF-8'}</td><td>{$findwell.visitor.tier|escape:'htmlall':'UTF-8'}</td><td>{', '|implode:$findwell.visitor.groups|escape:'htmlall':'UTF-8'}</td></tr>
    <tr><th>{l s='Declared at the service' d='Modules.Findwell.Shop'}</th><td>{', '|implode:$findwell.languages|escape:'htmlall':'UTF-8'}</td><td>{', '|implode:$findwell.declared.currencies|escape:'htmlall':'UTF-8'}</td><td>{', '|implode:$findwell.declared.countries|escape:'htmlall':'UTF-8'}</td><td>{', '|implode:$findwell.declared.tiers|escape:'htmlall':'UTF-8'}</td><td></td></tr>
  </tbody></table>
  <h2>{l s='Indexed and live prices' d='Modules.Findwell.Shop'}</h2>
  {foreach $findwell.reasons as $reason}<div class="alert alert-warning">{if $reason === 'country'}{l s='The shop takes you for a visitor from this country, perhaps because of the language of your browser:' d='Modules.Findwell.Shop'} {$findwell.visitor.country|escape:'htmlall':'UTF-8'}. {l s='The search has the prices of another one, because this one is not chosen in the settings of the module:' d='Modules.Findwell.Shop'} {$findwell.base.country|escape:'htmlall':'UTF-8'}. {l s='With other taxes, prices differ.' d='Modules.Findwell.Shop'}{elseif $reason === 'currency'}{l s='Your currency is not chosen in the settings of the module; the search has prices in:' d='Modules.Findwell.Shop'} {$findwell.base.currency|escape:'htmlall':'UTF-8'}{elseif $reason === 'group'}{l s='Your customer group is not chosen in the settings of the module; the search has the prices of a visitor.' d='Modules.Findwell.Shop'}{/if}</div>{/foreach}
  <table class="table"><thead><tr><th>{l s='Id' d='Modules.Findwell.Shop'}</th><th>{l s='Product' d='Modules.Findwell.Shop'}</th><th>{l s='Price in the search' d='Modules.Findwell.Shop'}</th><th>{l s='Price in the shop, for you' d='Modules.Findwell.Shop'}</th><th>{l s='Difference' d='Modules.Findwell.Shop'}</th></tr></thead><tbody>
  {foreach $findwell.prices as $row}
    <tr{if $row.differs} class="table-warning"{/if}><td>{$row.id|intval}</td><td>{$row.name|escape:'htmlall':'UTF-8'}</td><td>{if $row.indexed === null}{l s='none' d='Modules.Findwell.Shop'}{else}{$row.indexed|escape:'htmlall':'UTF-8'}{/if}</td><td>{if $row.live === null}{l s='none' d='Modules.Findwell.Shop'}{else}{$row.live|escape:'htmlall':'UTF-8'}{/if}</td><td>{if $row.differs}≠{/if}</td></tr>
  {/foreach}
  </tbody></table>
{/block}
