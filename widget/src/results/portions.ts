//! Work that is done in portions, between which the browser paints and listens to the shopper.

/** Milliseconds of script in one portion; layout and paint of what it made come on top. */
const PORTION = 8;
/** Steps of a portion, however long they take: a frame for each would make a slow device slower. */
const AT_LEAST = 6;

/** A small piece of work. */
export type Step = () => void;

/** Runs steps in their order; new ones take the place of what is left of the former. */
export class Portions {
  private left: Step[] = [];

  get done(): boolean {
    return this.left.length === 0;
  }

  start(steps: Step[]): void {
    this.left = steps;
    void this.work(steps);
  }

  /** Drops what is left. */
  stop(): void {
    this.left = [];
  }

  /** Does what is left at once. */
  finish(): void {
    for (let step; (step = this.left.shift());) step();
  }

  private async work(steps: Step[]): Promise<void> {
    for (;;) {
      await painted();
      if (steps !== this.left || this.done) return;
      const end = performance.now() + PORTION;
      for (let count = 0; steps.length && (count < AT_LEAST || performance.now() < end); count += 1) steps.shift()!();
      // A page that nobody sees is not waited for.
      if (document.hidden) this.finish();
    }
  }
}

/** Resolves in a task after the next frame, or a little later where no frames are drawn. */
const painted = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
