<div class="findwell-box">
  <form action="{$findwell_action|escape:'htmlall':'UTF-8'}" method="get" role="search">
    <input type="hidden" name="controller" value="search">
    <input type="search" name="s" value="{$findwell_query|escape:'htmlall':'UTF-8'}" autocomplete="off" data-findwell-input
           placeholder="{l s='Search our catalog' d='Shop.Theme.Catalog'}" aria-label="{l s='Search' d='Shop.Theme.Catalog'}">
  </form>
</div>
