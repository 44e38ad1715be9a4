// What the control panel's scripts know of the page: selectors name form controls and other elements of HTML.

interface ParentNode {
  querySelector(selectors: string): any;
}

interface Element {
  closest(selectors: string): any;
}

interface Window {
  /** The widget's own functions, on the page of its preview. */
  findwell: any;
}
