import { createContext } from 'react'

/**
 * Values that only the server has while it renders a document. In the browser both are empty, and React keeps the server's markup: a nonce
 * is not readable there, and the stylesheet needs no second copy in a script.
 */
export const DocumentContext = createContext<{
	nonce?: string
	/** Empty where the browser has its file. */
	stylesheet: string
}>({ stylesheet: '' })
