// The contact form. It sends nothing: it checks what was written and says thank you. All its
// texts stand in the page. Without this script the browser checks the fields, and the page says
// thank you.
const SHOWN_MS = 8000;

const form = document.querySelector('form');
const toast = document.getElementById('thank-you');
const fields = [...form.querySelectorAll('[data-missing]')];

function problemOf(field) {
  if (field.value.trim() === '') return field.dataset.missing;
  return field.validity.valid ? '' : (field.dataset.wrong ?? field.validationMessage);
}

/** Shows below a field what is wrong with it, and takes that away once it is right. */
function judge(field) {
  const text = problemOf(field);
  const id = `${field.id}-problem`;
  let place = document.getElementById(id);
  if (text === '') {
    place?.remove();
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
    return true;
  }
  if (!place) {
    place = Object.assign(document.createElement('span'), { id, className: 'problem' });
    field.after(place);
  }
  place.textContent = text;
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', id);
  return false;
}

let timer;
function showToast(isShown) {
  clearTimeout(timer);
  toast.classList.toggle('shown', isShown);
  if (isShown) timer = setTimeout(() => showToast(false), SHOWN_MS);
}

form.noValidate = true;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  showToast(false);
  const wrong = fields.filter((field) => !judge(field));
  if (wrong.length > 0) return wrong[0].focus();
  form.reset();
  showToast(true);
});
// A field that was found wrong is judged again with each letter
form.addEventListener('input', ({ target }) => {
  if (target.getAttribute('aria-invalid') === 'true') judge(target);
});
toast.querySelector('a').addEventListener('click', (event) => {
  event.preventDefault();
  showToast(false);
  // Shown by the address when the page was left without this script
  if (location.hash === '#thank-you') history.replaceState(null, '', location.pathname);
});
