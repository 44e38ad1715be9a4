//! The history of the sheet of filters: Back closes the sheet and keeps what was chosen in it; closing it in the page
//! leaves one entry if something was chosen, else none.

import { inSheet, leaveSheet, pushSheet } from "./history";

/** The entry of one view's sheet. */
export class SheetEntry {
  /** The address below the open sheet. */
  private below: string | undefined;
  private going = false;

  /** The sheet was opened. */
  opened(): void {
    this.below = location.href;
    pushSheet();
  }

  /** The sheet was closed in the page. */
  closed(): void {
    const { below } = this;
    this.below = undefined;
    if (below === undefined || !inSheet()) return;
    if (location.href !== below) return leaveSheet();
    this.going = true;
    history.back();
  }

  /** The results go away with their sheet, and whoever closes them goes back over its entry. */
  forget(): void {
    this.below = undefined;
  }

  /** The browser has gone to another entry; returns whether that only closed the sheet. */
  arrived(close: () => void, keep: () => void): boolean {
    const { below, going } = this;
    this.going = false;
    this.below = undefined;
    if (going) return true;
    // The entry of a sheet that is not open, as after a reload.
    if (inSheet()) leaveSheet();
    if (below === undefined) return false;
    close();
    if (location.href !== below) return false;
    keep();
    return true;
  }
}
