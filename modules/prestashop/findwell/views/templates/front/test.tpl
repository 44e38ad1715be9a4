{extends file='page.tpl'}
{block name='page_title'}{l s='Search test' d='Modules.Findwell.Shop'}{/block}
{block name='page_content'}
  <p>Findwell {$findwell.version|escape:'htmlall':'UTF-8'}, {$findwell.platform|escape:'htmlall':'UTF-8'}</p>
  {include file='module:findwell/views/templates/hook/box.tpl'}
  <h2>{l s='Last pass' d='Modules.Findwell.Shop'}</h2>
  <table class="table"><tbody>
  {foreach $findwell.passes as $type => $pass}
    <tr><th>{$type|escape:'htmlall':'UTF-8'}</th><td>{$pass.documents|intval}</td><td>{$pass.finished|escape:'htmlall':'UTF-8'}</td></tr>
  {/foreach}
  </tbody></table>
  <h2>{l s='Visitor' d='Modules.Findwell.Shop'}</h2>
  <p>{$findwell.visitor.language|escape:'htmlall':'UTF-8'} · {$findwell.visitor.currency|escape:'htmlall':'UTF-8'} · {$findwell.visitor.country|escape:'htmlall':'UTF-8'} · {$findwell.visitor.tier|intval} · {', '|implode:$findwell.visitor.groups|escape:'htmlall':'UTF-8'}</p>
  <h2>{l s='Declared at the service' d='Modules.Findwell.Shop'}</h2>
  <p>{', '|implode:$findwell.languages|escape:'htmlall':'UTF-8'} · {', '|implode:$findwell.declared.currencies|escape:'htmlall':'UTF-8'} · {', '|implode:$findwell.declared.tiers|escape:'htmlall':'UTF-8'} · {', '|implode:$findwell.declared.countries|escape:'htmlall':'UTF-8'}</p>
  <h2>{l s='Indexed and live prices' d='Modules.Findwell.Shop'}</h2>
  <table class="table"><tbody>
  {foreach $findwell.prices as $row}
    <tr{if $row.differs} class="table-warning"{/if}><td>{$row.id|intval}</td><td>{$row.name|escape:'htmlall':'UTF-8'}</td><td>{$row.indexed|escape:'htmlall':'UTF-8'}</td><td>{$row.live|escape:'htmlall':'UTF-8'}</td><td>{if $row.differs}≠{/if}</td></tr>
  {/foreach}
  </tbody></table>
{/block}
