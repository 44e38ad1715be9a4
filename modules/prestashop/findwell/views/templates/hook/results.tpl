<div data-findwell-results data-replaces="#products"></div>
