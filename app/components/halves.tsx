import { type ReactNode } from 'react'

/** Two columns where there is room, the first the wider. Each is as high as its own parts. */
export function Halves({ children }: { children: ReactNode }) {
	return <div className="grid items-start gap-x-4 *:break-inside-avoid lg:grid-cols-[3fr_2fr]">{children}</div>
}
