import { vitePlugin as remix } from '@remix-run/dev'
import { defineConfig } from 'vite'

/** The smallest page in the portal's version of Remix. `npm run bench -- visits` compares pages with it. */
export default defineConfig({
	plugins: [
		remix({
			future: {
				v3_fetcherPersist: true,
				v3_relativeSplatPath: true,
				v3_throwAbortReason: true,
				v3_singleFetch: true,
				v3_lazyRouteDiscovery: true,
			},
		}),
	],
	build: { minify: 'terser', target: 'es2022' },
})
