// The texts in Spanish of the configuration as one file.

export const esConfiguration = {
  "configurationAsFile": "Configuración como archivo",
  "configurationAbout":
    "Relevancia, sinónimos, reglas, filtros y el buscador: para otra tienda, o para guardar estados anteriores.",
  "downloadConfiguration": "Descargar configuración",
  "importConfiguration": "Importar",
  "copyConfiguration": "Copiar de otra tienda",
  "configurationFile": "Archivo de configuración",
  "storeToCopy": "Tienda que se copia",
  "importMode": "Lo que está aquí y allí no",
  "importMode.replace": "se elimina",
  "importMode.merge": "se queda",
  "tryImport": "Comprobar",
  "chooseFile": "Elige un archivo.",
  "fileTooLarge": "El archivo tiene más de 20 MiB.",
  "noConfigurationFile": "Esto no es un archivo de configuración.",
  "importCounts": "{part}: {created} altas, {updated} cambios, {deleted} bajas, {unchanged} sin cambios",
  "importImpact":
    "De {measured} consultas importantes, {changed} cambian sus diez primeros resultados y {lost} pierden todos.",
  "importChanges": "{n} cambio|{n} cambios",
  "importChangesMore": "{n} cambio más.|{n} cambios más.",
  "importNothing": "No cambiaría nada.",
  "saveImport": "Guardar estos cambios",
  "configurationImported": "Configuración importada.",
  "filePart.store": "Nombre de la tienda",
  "filePart.relevance": "Relevancia",
  "filePart.synonyms": "Sinónimos",
  "filePart.rules": "Reglas",
  "filePart.filters": "Filtros",
  "filePart.widget": "Buscador",
};
