//! The shopper's token: fetched from the shop at first use, in memory only, renewed before it ends.

const PATIENCE = 800;
const TIMEOUT = 10_000;
const EARLY = 60_000;
const AGAIN = 30_000;

/** Who searches, as the shop signs it. */
export class Visitor {
  private token: string | undefined;
  private freshUntil = 0;
  private pending: Promise<void> | undefined;
  /** Whether a request has gone out without the token that is on its way. */
  private late = false;
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
    this.late = false;
    this.round += 1;
  }

  /** The token; undefined for an anonymous shopper, or if the shop takes longer than 0.8 s. */
  async get(): Promise<string | undefined> {
    // A shop that is slow holds up one request, not each of them.
    if (!this.address || this.late || Date.now() < this.freshUntil) return this.token;
    const pending = (this.pending ??= this.renew(this.round, this.token));
    await Promise.race([pending, new Promise((done) => setTimeout(done, PATIENCE))]);
    this.late = this.pending === pending;
    return this.token;
  }

  private async renew(round: number, before: string | undefined): Promise<void> {
    await this.fetch(round);
    if (round !== this.round) return;
    const { late } = this;
    this.pending = undefined;
    this.late = false;
    if (late && this.token !== before) this.onLate();
  }

  private async fetch(round: number): Promise<void> {
    let token: string | undefined;
    let keep = AGAIN;
    try {
      const response = await fetch(this.address!, {
        credentials: "same-origin",
        cache: "no-store",
        signal: AbortSignal.timeout(TIMEOUT),
      });
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
