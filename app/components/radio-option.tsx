import { CHECK, TALL_CHECK } from './field-frame'

/** `gloss` explains the label on its line, `help` below it. A label has one of them at most. */
export type Radio = { value: string; label: string } & ({ gloss?: string; help?: never } | { gloss?: never; help?: string })

/** Only the label names the button; a click on the words that explain it chooses it too. */
export function RadioOption({ id, name, value, label, gloss, help, isChosen }: Radio & { id: string; name?: string; isChosen: boolean }) {
	const noteId = gloss || help ? `${id}-note` : undefined
	return (
		<div className={`relative ${help ? TALL_CHECK : CHECK}`}>
			{/* Above the area of the label, so that it gets its own clicks. */}
			<input
				id={id}
				className="relative z-1"
				type="radio"
				name={name}
				value={value}
				defaultChecked={isChosen}
				aria-describedby={noteId}
			/>{' '}
			<span>
				<label htmlFor={id} className="cursor-pointer after:absolute after:inset-0">
					{label}
				</label>
				{gloss && <span id={noteId}>: {gloss}</span>}
				{help && ' '}
				{help && (
					<span id={noteId} className="text-xs text-muted block">
						{help}
					</span>
				)}
			</span>{' '}
		</div>
	)
}
