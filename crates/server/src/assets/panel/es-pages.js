// The texts in Spanish of deleted stores, synonyms, rules, filters, the widget and rejected documents.

export const esPages = {
  "deleteStore": "Eliminar tienda",
  "deleteAbout": "Sus claves, la búsqueda, el envío de productos y la configuración terminan al momento. A los siete días todo se borra para siempre: productos, configuración, historial, claves y estadísticas. El registro de auditoría se queda en la cuenta.",
  "deleteUndo": "Durante siete días, quien administra el servidor puede volver a abrirla: {command}",
  "deleteName": "Escribe el nombre de la tienda para eliminarla: {name}",
  "closedStores": "Tiendas eliminadas",
  "closedAt": "Eliminada",
  "removedFrom": "Cerrada. Se borra a partir del {time}; hasta entonces se puede volver a abrir con {command}",
  "beingRemoved": "Se está borrando. {share}.",
};

// Messages and reasons of the service that these pages show.
export const reasonsOfPages = [
  [/^must be exactly the name of the store$/, "debe ser exactamente el nombre de la tienda"],
];
