type Dialog = typeof import('./change-password-dialog').default

/** Loaded on demand: most pages never open it. */
let Loaded: Dialog | undefined

/**
 * Loads the dialog before its page is drawn: before React hydrates a page that shows it, and before a link opens it. The page is inert
 * below the dialog, so it must not wait for a dialog that is slow or never comes.
 */
export async function loadChangePassword(): Promise<void> {
	giveChangePassword((await import('./change-password-dialog')).default)
}

/** Gives the dialog to the server, which draws a page at once and cannot wait for it. */
export function giveChangePassword(dialog: Dialog): void {
	Loaded = dialog
}

/** Returns the dialog, or undefined before it is loaded. */
export function drawChangePassword(from: string) {
	return Loaded && <Loaded from={from} />
}
