import { type ConsentCategory, categoryDetails, consentCategories } from "#app/consent/categories.ts";
import type { Preference } from "#app/consent/preference-cookie.ts";

export function CategoryList({ saved }: { saved: Preference | null }) {
  return (
    <ul className="bare-list consent-categories">
      {consentCategories.map((category) => (
        <Category
          key={category}
          category={category}
          isOn={category === "necessary" || saved?.[category] === true}
          isFixed={category === "necessary"}
        />
      ))}
    </ul>
  );
}

function Category({ category, isOn, isFixed }: { category: ConsentCategory; isOn: boolean; isFixed: boolean }) {
  const { title, description } = categoryDetails[category];
  const id = `consent-${category}`;
  return (
    <li>
      <label htmlFor={id}>{title}</label>
      <input
        type="checkbox"
        id={id}
        name={category}
        defaultChecked={isOn}
        disabled={isFixed}
        aria-describedby={`${id}-about`}
      />
      <p id={`${id}-about`}>{description}</p>
    </li>
  );
}
