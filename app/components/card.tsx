import { type ReactNode, useId } from 'react'
import { Failed, type FailureNotice } from './failed'

type Tone = 'gain' | 'loss'
export type FigureRow = { label: string; figure: string; href?: string; tone?: Tone }

type Props = {
	title: string
	figure?: string
	tone?: Tone
	note?: string
	failure?: FailureNotice
	more?: { href: string; label: string }
	children?: ReactNode
}

/** One figure, its parts, and a link to the page that proves it. When it fails, the other cards stay. */
export function Card({ title, figure, tone, note, failure, more, children }: Props) {
	const id = useId()
	return (
		<section className="card" aria-labelledby={id}>
			<h2 id={id}>{title}</h2>
			{failure ? (
				<Failed what={title} failure={failure} />
			) : (
				<>
					<p className={`figure big ${tone ?? ''}`}>{figure ?? '—'}</p>
					{note && <p className="small text-muted">{note}</p>}
					{children}
					{more && (
						<p className="more">
							<a href={more.href}>
								{more.label}
								<span className="sr-only"> {title}</span>
							</a>
						</p>
					)}
				</>
			)}
		</section>
	)
}

/** Labels on the left, figures on the right. */
export function FigureList({ rows = [] }: { rows?: readonly FigureRow[] }) {
	return (
		<dl className="figures">
			{rows.map(({ label, figure, href, tone }) => (
				<div key={label}>
					<dt>{href ? <a href={href}>{label}</a> : label}</dt>
					<dd className={`figure ${tone ?? ''}`}>{figure}</dd>
				</div>
			))}
		</dl>
	)
}
