/** Returns a handler that rethrows the failure of a server to listen, with the settings of its address in the message. */
export function refuseAddress(names: string): (error: Error) => never {
	return (error) => {
		throw new Error(`${names}: the portal cannot listen there: ${error.message}`)
	}
}
