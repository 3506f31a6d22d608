import { type ReactNode } from 'react'

type Props = {
	/** The rows that the button is about; undefined where no script can count them. */
	count?: number
	/** What a row is that counts: `selected`. */
	word: string
	children: ReactNode
}

/** The button of a long table that is filled in stays at the lower edge of the screen. The last part of its form. */
export function SelectionBar({ count, word, children }: Props) {
	return (
		<div className="border-line bg-base-200 sticky bottom-0 z-10 flex flex-wrap items-center gap-x-5 gap-y-2 border-t py-3 print:hidden">
			{count !== undefined && (
				<p className="font-semibold" role="status">
					{count} {word}
				</p>
			)}
			{children}
		</div>
	)
}
