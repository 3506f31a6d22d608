import { type ReactNode, useContext } from 'react'
import { Facts } from './facts'
import { TabsContext } from './tabs'

type Props = {
	title: string
	/** The name of the tab, or of the thing it shows, where the h1 names the area. */
	part?: string
	/** The current tab has the name of the part and shows it. The heading is then only for screen readers. */
	isTabName?: boolean
	/** The list that the page belongs to. */
	back?: { href: string; label: string }
	/** The period or time that the page shows. */
	note?: ReactNode
	/** Actions for the whole page. */
	children?: ReactNode
}

/** Classes of the links to files. They are not printed, and a phone shows them without icons. */
export const FILES = 'flex flex-wrap items-center gap-2 max-md:[&_svg]:hidden max-md:[&_a]:underline print:hidden'

/** The only h1 of a page. Below it are the tabs of its area, at the same height on each page, then the name of the part and the note. */
export function PageTitle({ title, part, isTabName = false, back, note, children }: Props) {
	const tabs = useContext(TabsContext)
	const under = note && <p className="text-muted text-xs">{typeof note === 'string' ? <Facts text={note} /> : note}</p>
	return (
		<>
			{back && (
				<p className="mb-1 text-sm print:hidden">
					<a href={back.href}>{back.label}</a>
				</p>
			)}
			<div className={`${tabs ? 'mb-3' : 'mb-3 sm:mb-5'} flex flex-wrap items-end justify-between gap-x-6 gap-y-2`}>
				{/* A long note wraps beside one action of a phone, and not above it. */}
				<div className="flex-1 basis-60">
					<h1>{title}</h1>
					{!tabs && !part && under}
				</div>
				{children && <div className={FILES}>{children}</div>}
			</div>
			{tabs}
			{part ? (
				<div className={!isTabName ? 'mb-5' : note ? '-mt-2 mb-4' : ''}>
					<h2 className={isTabName ? 'sr-only' : 'text-xl/7'}>{part}</h2>
					{under}
				</div>
			) : (
				tabs && under && <div className="-mt-2 mb-4">{under}</div>
			)}
		</>
	)
}
