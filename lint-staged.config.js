/* Before a commit, on staged files: format, lint, and types of the whole project. `npm run hooks` switches it on in a clone. */
export default {
	'*.{ts,tsx,js,mjs,css,json}': 'prettier --check --ignore-unknown',
	'*.{ts,tsx,js,mjs}': 'oxlint --deny-warnings',
	'*.{ts,tsx}': () => 'tsc --noEmit',
}
