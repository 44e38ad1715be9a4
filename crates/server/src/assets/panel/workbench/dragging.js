// Rows of a list that a mouse drags onto each other; keys have buttons for the same.

let dragged = null;

// Makes `row` one that is dragged, and one that others of its kind are dropped on. `drop` gets the id of the other;
// `takes` says whether it may be dropped there.
export function draggable(row, kind, id, drop, takes = () => true) {
  row.draggable = true;
  row.addEventListener("dragstart", (event) => {
    dragged = { kind, id };
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", id);
    row.classList.add("dragged");
  });
  row.addEventListener("dragend", () => {
    dragged = null;
    row.classList.remove("dragged");
  });
  const fits = () => dragged !== null && dragged.kind === kind && dragged.id !== id && takes();
  row.addEventListener("dragover", (event) => {
    if (!fits()) return;
    event.preventDefault();
    row.classList.add("target");
  });
  row.addEventListener("dragleave", () => row.classList.remove("target"));
  row.addEventListener("drop", (event) => {
    row.classList.remove("target");
    if (!fits()) return;
    event.preventDefault();
    const other = dragged.id;
    dragged = null;
    drop(other);
  });
}
