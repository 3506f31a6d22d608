import { useRouteLoaderData } from '@remix-run/react'
import { type Brand } from './brand'
import { type ToastMessage } from './toast'

/** Data available on every page. When the root's loader failed, only the default style is there. */
export type Root = { theme: 'light' | 'dark' | 'system'; brand: Brand; toast?: ToastMessage; csrf?: string; reference?: string }

const NONE: Root = { theme: 'system', brand: { name: 'Khata', support: [] } }

export function useRoot(): Root {
	return (useRouteLoaderData('root') as Root | undefined) ?? NONE
}
