import { lazy, Suspense } from 'react'

type Dialog = typeof import('./change-password-dialog').default

/** Most pages never open it, and do not load it. */
const Later = lazy(() => import('./change-password-dialog'))
let Loaded: Dialog | undefined

/**
 * Before a page that already has the dialog in it comes to life: React would draw a dialog that is still loading anew at the
 * first change beside it, and what was typed meanwhile would be lost.
 */
export async function loadChangePassword(): Promise<void> {
	Loaded = (await import('./change-password-dialog')).default
}

export function ChangePassword({ from }: { from: string }) {
	const Dialog = Loaded ?? Later
	return (
		<Suspense>
			<Dialog from={from} />
		</Suspense>
	)
}
