import { RemixBrowser } from '@remix-run/react'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { loadChangePassword } from '~/components/change-password-later'

/**
 * React waits at the root while Remix reads the page's data, and what is pressed just then (a Tab, a password manager's focus) makes React 18
 * give the page up for good: "Root did not complete". So they are read before React begins: asked too early, RemixBrowser throws a promise.
 */
async function readPageData(): Promise<void> {
	try {
		RemixBrowser({})
	} catch (promise) {
		await promise
	}
}

if (new URLSearchParams(location.search).has('dialog')) await loadChangePassword()
await readPageData()
startTransition(() => {
	hydrateRoot(document, <RemixBrowser />)
})
