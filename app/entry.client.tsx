import { RemixBrowser } from '@remix-run/react'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { loadChangePassword } from '~/components/change-password-later'
import { keepPageWithoutReply } from '~/components/lost-replies'
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

/**
 * The first page of a browser has only its own rules, and links the file of all rules at its end (docs/decisions/032). Any other page drawn
 * into it needs that file. While it does not come, the page stays as it is without scripts.
 */
async function waitForAllRules(): Promise<void> {
	if (document.readyState === 'loading') await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve))
	const link = document.querySelector<HTMLLinkElement>('body > link[rel=stylesheet]')
	if (link && !hasRules(link)) await new Promise((resolve) => link.addEventListener('load', resolve))
}

function hasRules({ sheet }: HTMLLinkElement): boolean {
	try {
		return sheet !== null && sheet.cssRules.length > 0
	} catch {
		// Chromium gives a file that failed a sheet, whose rules cannot be read.
		return false
	}
}

/**
 * The reply to a logout clears the storage, but then the page that is left writes its scroll positions. A browser may forbid all storage.
 */
function clearStorage() {
	try {
		sessionStorage.clear()
		localStorage.clear()
	} catch {
		// Then there is nothing to clear.
	}
}

if (location.pathname === '/login') clearStorage()
followNewVersion()
keepPageWithoutReply()
if (new URLSearchParams(location.search).has('dialog')) await loadChangePassword()
await readPageData()
await waitForAllRules()
startTransition(() => {
	hydrateRoot(document, <RemixBrowser />)
})
