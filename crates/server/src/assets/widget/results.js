// Placeholder of the results layer: there is none yet.
export {};
