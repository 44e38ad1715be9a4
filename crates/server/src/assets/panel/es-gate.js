// The texts in Spanish of the gate.

export const esGate = {
  "gate": "Control de cambios",
  "gateAbout":
    "Rechaza los cambios de relevancia, sinónimos y reglas que alteran demasiado lo que esta tienda vigila, tanto con claves como en el panel. Quien puede guardar aquí puede hacerlo de todos modos, con un motivo.",
  "gateOn": "Rechazar lo que altera demasiado o deja sin resultados una consulta vigilada",
  "gateShare": "Consultas vigiladas cuyos tres primeros resultados pueden cambiar, en tanto por ciento",
  "gateKeys": "Las claves pueden guardar de todos modos, con un motivo",
  "gateTitle": "Esto altera más de lo que deja pasar el control de cambios",
  "gateTop3": "cambian sus tres primeros resultados",
  "gateLost": "se queda sin resultados",
  "gateMore": "Cambia {n} consulta vigilada más.|Cambian {n} consultas vigiladas más.",
  "gateForce": "Guardar de todos modos",
  "gateReason": "¿Por qué?",
};
