import { type Settings } from '~/config/parse-settings.server'
import { BACKGROUNDS } from '~/lib/palette-contrast'

/** The web app manifest, with which a phone installs the portal as an app under the broker's name. */
export function createWebManifest({ BRAND_NAME, BRAND_COLOUR = '#3157a8' }: Pick<Settings, 'BRAND_NAME' | 'BRAND_COLOUR'>) {
	return {
		name: BRAND_NAME,
		short_name: BRAND_NAME,
		id: '/dashboard',
		start_url: '/dashboard',
		scope: '/',
		display: 'standalone',
		background_color: BACKGROUNDS.light[0],
		theme_color: BRAND_COLOUR,
		icons: [
			{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
			{ src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
			{ src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
		],
	}
}
