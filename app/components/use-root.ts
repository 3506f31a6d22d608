import { useRouteLoaderData } from '@remix-run/react'
import { type ToastMessage } from './toast'

/** Comes from configuration, so a broker sets its name without touching code. */
export type Brand = {
	name: string
	logo?: string
	/** In place of `logo` on the dark palette. */
	logoDark?: string
	/** Contacts for a client who needs help. */
	support: readonly { label: string; href: string }[]
	/** The entries of `support` that are phone numbers. */
	phones?: readonly { label: string; href: string }[]
	/** Where a client complains about the broker. */
	complaints?: { label: string; href: string }
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
