import { RemixBrowser } from '@remix-run/react'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { loadChangePassword } from '~/components/change-password-later'

if (new URLSearchParams(location.search).has('dialog')) await loadChangePassword()
startTransition(() => {
	hydrateRoot(document, <RemixBrowser />)
})
