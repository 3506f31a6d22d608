import { createContext } from 'react'

/**
 * What only the server knows while it draws a document. In the browser both are empty, and React leaves the server's
 * markup alone: a nonce is not readable there, and the stylesheet needs no second copy in a script.
 */
export const DocumentContext = createContext<{ nonce?: string; stylesheet: string }>({ stylesheet: '' })
