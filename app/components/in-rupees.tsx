import { type ReactNode } from 'react'

/** An input with the currency sign inside. The input needs the class `ps-7`. */
export function InRupees({ children }: { children: ReactNode }) {
	return (
		<span className="relative">
			<span aria-hidden="true" className="text-muted pointer-events-none absolute inset-y-0 left-3 z-1 flex items-center">
				₹
			</span>
			{children}
		</span>
	)
}
