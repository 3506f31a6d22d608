import { useRouteLoaderData } from '@remix-run/react'
import { type ToastMessage } from './toast'

export type Contact = { label: string; href: string }

/** Comes from configuration, so a broker sets its name without touching code. */
export type Brand = {
	name: string
	logo?: string
	/** In place of `logo` on the dark palette. */
	logoDark?: string
	/** Contacts for a client who needs help: an address, `mailto:` or `tel:`. */
	support: readonly Contact[]
	/** Where a client complains about the broker. */
	complaints?: Contact
	/** The rule that a new password must follow. */
	passwordRule?: string
	/** Texts that the regulator requires on every page, one sentence each. */
	legal?: readonly string[]
}

/** Data available on every page. When the root's loader failed, only the default style is there. */
export type Root = { theme: 'light' | 'dark' | 'system'; brand: Brand; toast?: ToastMessage; csrf?: string; reference?: string }

const NONE: Root = { theme: 'system', brand: { name: 'Khata', support: [] } }

export function useRoot(): Root {
	return (useRouteLoaderData('root') as Root | undefined) ?? NONE
}
