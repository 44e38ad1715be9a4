<div class="alert alert-info">{l s='Each shop has a store and settings of its own. Choose a shop at the top of the page.' d='Modules.Findwell.Admin'}</div>
