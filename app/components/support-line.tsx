import { Fragment, useState } from 'react'
import { useLive } from './use-live'
import { type Contact, useRoot } from './use-root'

/**
 * The reference for support, which is also in the log of this visit, and the support contacts of the broker. One click selects the
 * reference; with a script a button copies it. Nothing when there is neither.
 */
export function SupportLine({ reference }: { reference?: string }) {
	const { reference: ofVisit, brand } = useRoot()
	const shown = reference ?? ofVisit
	if (!shown && brand.support.length === 0) return null
	return (
		<p className="text-muted text-xs">
			If you need help
			{shown && (
				<>
					, quote reference {/* As wide as with the button, so that nothing moves when the script arrives. */}
					<span className="inline-block min-w-36 whitespace-nowrap">
						<span className="select-all">{shown}</span> <CopyButton text={shown} />
					</span>
				</>
			)}
			{brand.support.length > 0 && (shown ? <br /> : ': ')}
			<Contacts list={brand.support} />
		</p>
	)
}

/** Links in a sentence: `A, B or C`. */
export function Contacts({ list }: { list: readonly Contact[] }) {
	return list.map(({ label, href }, index) => (
		<Fragment key={href}>
			{index > 0 && (index === list.length - 1 ? ' or ' : ', ')}
			<a href={href} rel="noopener" className="whitespace-nowrap">
				{label}
			</a>
		</Fragment>
	))
}

function CopyButton({ text }: { text: string }) {
	const [isCopied, setCopied] = useState(false)
	const canCopy = useLive() && Boolean(navigator.clipboard)
	const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true))
	if (!canCopy) return null
	return (
		<button
			type="button"
			className="link text-primary decoration-primary/40 hover:decoration-current -my-2.5 ml-1.5 py-2.5 underline-offset-3"
			onClick={copy}
			aria-live="polite"
		>
			{isCopied ? 'Copied' : 'Copy'}
			<span className="sr-only"> the reference</span>
		</button>
	)
}
