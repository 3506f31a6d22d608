import { type ReactNode } from 'react'

/** Two columns where there is room; the first is wider, or the second with `isSecondWider`. Each is only as high as its content. */
export function Halves({ isSecondWider, children }: { isSecondWider?: boolean; children: ReactNode }) {
	return (
		<div
			className={`grid items-start gap-x-4 *:break-inside-avoid *:only:col-span-full ${isSecondWider ? 'lg:grid-cols-[2fr_3fr]' : 'lg:grid-cols-[3fr_2fr]'}`}
		>
			{children}
		</div>
	)
}
