import { type ReactNode } from 'react'

type Props = { isSecondWider?: boolean; isEqual?: boolean; isLevel?: boolean; children: ReactNode }

/** Two columns where there is room; the first is wider unless another prop says so. Each is only as high as its content, unless `isLevel`. */
export function Halves({ isSecondWider, isEqual, isLevel, children }: Props) {
	return (
		<div
			className={`grid ${isLevel ? '' : 'items-start'} gap-x-4 *:break-inside-avoid *:only:col-span-full ${isEqual ? 'lg:grid-cols-2' : isSecondWider ? 'lg:grid-cols-[2fr_3fr]' : 'lg:grid-cols-[3fr_2fr]'}`}
		>
			{children}
		</div>
	)
}
