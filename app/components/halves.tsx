import { type ReactNode } from 'react'

/** Two columns where there is room; the first is wider. Each is only as high as its content. */
export function Halves({ children }: { children: ReactNode }) {
	return <div className="grid items-start gap-x-4 *:break-inside-avoid lg:grid-cols-[3fr_2fr]">{children}</div>
}
