import { type ReactNode } from 'react'
import { Unbroken } from './unbroken'

/** A remark under a table. */
export function Note({ children }: { children: ReactNode }) {
	return <p className="text-muted mt-2 mb-4 max-w-160 text-sm">{typeof children === 'string' ? <Unbroken text={children} /> : children}</p>
}
