//! The shopper's token: fetched from the shop at first use, in memory only, renewed before it ends.

const PATIENCE = 800;
const EARLY = 60_000;
const AGAIN = 30_000;

/** Who searches, as the shop signs it. */
export class Visitor {
  private token: string | undefined;
  private freshUntil = 0;
  private pending: Promise<void> | undefined;
  private round = 0;
  /** Called when a token came too late for the request that waited for it. */
  onLate: () => void = () => {};

  constructor(private address: string | undefined) {
    // A page from the back-forward cache can be from before a log-out.
    addEventListener("pageshow", (event) => event.persisted && this.forget());
  }

  forget(): void {
    this.token = undefined;
    this.freshUntil = 0;
    this.pending = undefined;
    this.round += 1;
  }

  /** The token; undefined for an anonymous shopper, or if the shop takes longer than 0.8 s. */
  async get(): Promise<string | undefined> {
    if (!this.address || Date.now() < this.freshUntil) return this.token;
    let late = false;
    const before = this.token;
    this.pending ??= this.fetch(this.round).then(() => {
      this.pending = undefined;
      if (late && this.token !== before) this.onLate();
    });
    const timeout = new Promise<void>((done) => setTimeout(() => { late = true; done(); }, PATIENCE));
    await Promise.race([this.pending, timeout]);
    return this.token;
  }

  private async fetch(round: number): Promise<void> {
    let token: string | undefined;
    let keep = AGAIN;
    try {
      const response = await fetch(this.address!, { credentials: "same-origin", cache: "no-store" });
      const { visitor, expiresIn } = await response.json();
      if (typeof visitor === "string") token = visitor;
      keep = Math.max(AGAIN, (Number(expiresIn) || 3600) * 1000 - EARLY);
    } catch {
      // Without a token the shopper is anonymous; the shop is asked again a little later.
    }
    if (round !== this.round) return;
    this.token = token;
    this.freshUntil = Date.now() + keep;
  }
}
