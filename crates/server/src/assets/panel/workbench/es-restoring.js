// The Spanish texts of trying and restoring a former revision.

export const es = {
  "triesRevision": "Ves lo que encontraría la revisión {n}, junto a lo guardado. Los clientes no ven nada de esto.",
  "backToDraft": "Volver al borrador",
  "restoreTitle": "Restaurar este estado",
  "restoreAbout": "Lo marcado vuelve a ser lo que era entonces, en una sola revisión nueva. Lo demás no cambia.",
  "restoreChanges": "{n} cambio|{n} cambios",
  "restoreMore": "{n} cambio más|{n} cambios más",
  "restoreParts": "Restaurar {n} parte|Restaurar {n} partes",
  "restoreNothing": "Es el estado que está guardado ahora.",
  "restoreNothingElse": "Salvo el código propio, que se compara al marcarlo, es el estado que está guardado ahora.",
  "restoreSameCode": "El código propio es el mismo ahora.",
  "restored": "La revisión {n} está restaurada, como revisión {revision}. Todos los clientes lo tienen ya.",
};
