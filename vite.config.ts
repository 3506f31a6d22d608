import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import tsconfigPaths from 'vite-tsconfig-paths'

export default defineConfig({
	plugins: [
		tailwindcss(),
		remix({
			future: {
				v3_fetcherPersist: true,
				v3_relativeSplatPath: true,
				v3_throwAbortReason: true,
				v3_singleFetch: true,
				v3_lazyRouteDiscovery: true,
				v3_routeConfig: true,
			},
		}),
		tsconfigPaths(),
	],
	build: {
		assetsInlineLimit: 0,
		sourcemap: false,
		target: 'es2022',
		// 5 % less script than esbuild's for every page, for five more seconds of build.
		minify: 'terser',
		terserOptions: { compress: { passes: 2 } },
		rollupOptions: {
			onwarn(warning, warn) {
				// An address without a page has no code for a browser.
				if (warning.code !== 'EMPTY_BUNDLE') warn(warning)
			},
		},
	},
	server: { host: '127.0.0.1', port: 3000, strictPort: true },
})
