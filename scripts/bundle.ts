import { type BuildOptions } from 'esbuild'

/** How our code becomes plain JavaScript for Node. Packages stay in node_modules. */
export const BUNDLE = {
	bundle: true,
	packages: 'external',
	platform: 'node',
	format: 'esm',
	target: 'node20',
} as const satisfies BuildOptions
