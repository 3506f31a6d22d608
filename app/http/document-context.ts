import { createContext } from 'react'

/**
 * Values that only the server has while it renders a document. In the browser they are empty, and React keeps the server's markup: a nonce
 * is not readable there, and the styles need no second copy in a script.
 */
export const DocumentContext = createContext<{
	nonce?: string
	/** The styles in the page itself. */
	styles: string
	/** True where the browser does not have the stylesheet's file. */
	isFirstPage: boolean
	/** False where the page does without the brand's fonts, and only fetches them for the next one. */
	hasFonts: boolean
}>({ styles: '', isFirstPage: false, hasFonts: true })
