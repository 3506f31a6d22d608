/* Before a commit, on staged files: format, lint, and types of the whole project. `npm run hooks` switches it on in a clone. */
export default {
	'*.{ts,tsx,js,mjs,css,json}': 'oxfmt --check --no-error-on-unmatched-pattern',
	'*.{ts,tsx,js,mjs}': 'oxlint --deny-warnings',
	'*.{ts,tsx}': () => 'node_modules/typescript-7/bin/tsc --noEmit',
}
