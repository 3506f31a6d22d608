import { RemixBrowser } from '@remix-run/react'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { loadChangePassword } from '~/components/change-password-later'
import { followNewVersion } from '~/components/new-version'

/**
 * Loads the page's data before React hydrates. Otherwise React waits at the root for the data, and an event at that moment (a Tab key, a
 * password manager's focus) makes React 18 stop hydration for good: "Root did not complete". RemixBrowser throws a promise when the data
 * is not there yet.
 */
async function readPageData(): Promise<void> {
	try {
		RemixBrowser({})
	} catch (promise) {
		await promise
	}
}

followNewVersion()
if (new URLSearchParams(location.search).has('dialog')) await loadChangePassword()
await readPageData()
startTransition(() => {
	hydrateRoot(document, <RemixBrowser />)
})
