<div class="findwell-box findwell-box-{$findwell_place|escape:'htmlall':'UTF-8'}">
  <div class="findwell-box-line{if $findwell_place === 'bar'} container{/if}">
    <form action="{$findwell_action|escape:'htmlall':'UTF-8'}" class="findwell-box-form" method="get" role="search">
      <input type="hidden" name="controller" value="search">
      <input type="search" name="s" class="findwell-box-input" value="{$findwell_query|escape:'htmlall':'UTF-8'}" autocomplete="off"
             data-findwell-input placeholder="{l s='Search our catalog' d='Shop.Theme.Catalog'}" aria-label="{l s='Search' d='Shop.Theme.Catalog'}">
      <button type="submit" class="findwell-box-submit" aria-label="{l s='Search' d='Shop.Theme.Catalog'}">
        <svg viewBox="0 0 24 24" width="22" height="22" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true" focusable="false"><circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/></svg>
      </button>
    </form>
  </div>
</div>
