import adapt from '../../docs/adapters/other-dialect.js'

/** The example adapter, which fails for the path that a test names in `globalThis.brokenPath`. */
export default (call, send) => {
	if (globalThis.brokenPath === call.path) throw new Error('the adapter has a fault')
	return adapt(call, send)
}
