import { vitePlugin as remix } from '@remix-run/dev'
import tailwindcss from '@tailwindcss/vite'
import { type GetManualChunk, type GetModuleInfo } from 'rollup'
import { defineConfig } from 'vite'
import tsconfigPaths from 'vite-tsconfig-paths'

/** The code that runs on every page. */
const EVERY_PAGE = /[/]app[/](entry\.client|root|routes[/]shell)\.tsx/
const FIELDS =
	/[/]components[/](form|field-frame|radio-option|note|unbroken|status|date-field|use-live|use-default-value|box|in-rupees)\.|[/](lib|values)[/](typed-days?|table|unknown)\./
const FORMS = /@conform-to|[/]components[/](otp-form|kept-form|failed-page)\./
const REPORTS =
	/[/]components[/](report-|choices|latest-row|charts|card|key-figures|table-frame|list-table|download-link|empty|failed|section|halves|task-list|folded|tones|quick-links)|[/]lib[/]zip-files/

/**
 * Names the file of a module. Rollup would make a file for each set of pages: 20 small files for a page, each with a request and half a
 * kilobyte of headers.
 */
function joinChunks(): GetManualChunk {
	let everyPage: Set<string> | undefined
	return (id, { getModuleIds, getModuleInfo }) => {
		everyPage ??= findImports(
			[...getModuleIds()].filter((each) => EVERY_PAGE.test(each)),
			getModuleInfo,
		)
		if (everyPage.has(id)) return /node_modules|\0/.test(id) ? 'libraries' : 'shell-parts'
		if (FORMS.test(id)) return 'forms'
		if (FIELDS.test(id)) return 'fields'
		if (REPORTS.test(id)) return 'report-parts'
		return undefined
	}
}

/**
 * The contract's schemas take most of the server's memory, and have no data of a client or a broker. A process that loads the portal
 * again, as each test file does, loads them once.
 */
const takeContract: GetManualChunk = (id) => (id.includes('/contract/') ? 'contract' : undefined)

/** The direct and indirect imports of these modules, without modules that are loaded on demand. */
function findImports(ids: readonly string[], getModuleInfo: GetModuleInfo): Set<string> {
	const found = new Set(ids)
	// A loop over a set also visits items that are added during the loop.
	for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported)
	for (const id of ids) found.delete(id)
	return found
}

export default defineConfig(({ isSsrBuild }) => ({
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
		// 5 % less script on every page than with esbuild. The build takes five seconds longer, so the server's code, which nobody downloads,
		// is left to esbuild.
		minify: isSsrBuild ? 'esbuild' : 'terser',
		terserOptions: { compress: { passes: 2 } },
		rollupOptions: {
			output: { manualChunks: isSsrBuild ? takeContract : joinChunks(), onlyExplicitManualChunks: true },
			onwarn(warning, warn) {
				// An address without a page has no code for a browser.
				if (warning.code !== 'EMPTY_BUNDLE') warn(warning)
			},
		},
	},
	server: { host: '127.0.0.1', port: 3000, strictPort: true },
}))
