import { lazy, Suspense } from 'react'

type Dialog = typeof import('./change-password-dialog').default

/** Loaded on demand: most pages never open it. */
const Later = lazy(() => import('./change-password-dialog'))
let Loaded: Dialog | undefined

/**
 * Loads the dialog before React hydrates a page that shows it. Otherwise React would redraw a dialog that is still loading at the first
 * change beside it, and lose what was typed.
 */
export async function loadChangePassword(): Promise<void> {
	giveChangePassword((await import('./change-password-dialog')).default)
}

/** Gives the dialog to the server, which draws a page at once and cannot wait for it. */
export function giveChangePassword(dialog: Dialog): void {
	Loaded = dialog
}

export function ChangePassword({ from }: { from: string }) {
	// Suspense would hide an error of the dialog while the server draws the page.
	if (Loaded) return <Loaded from={from} />
	return (
		<Suspense>
			<Later from={from} />
		</Suspense>
	)
}
