"""The labels of buttons with which something is bought."""

from __future__ import annotations

from pageloom.core.lazy_regex import lazy_regex

BUY = lazy_regex(
    r"add to (?:\w+ )?(?:cart|bag|basket|trolley)|buy (?:it )?now|buy this|purchase now|order now"
    r"|in den (?:warenkorb|einkaufswagen)|jetzt (?:kaufen|bestellen)"
    r"|ajouter au panier|acheter maintenant|(?:añadir|agregar) (?:al carrito|a la cesta)"
    r"|comprar (?:ahora|agora)|adicionar ao carrinho|aggiungi al carrello|acquista ora"
    r"|in (?:mijn )?winkel(?:wagen|mand)|lägg i (?:varukorg|kundvagn)|læg i kurv"
    r"|legg i handlekurv|lisää ostoskoriin|do koszyka|do košíku|в корзину|купить|до кошика"
    r"|sepete ekle|kosárba|adaugă în coș|στο καλάθι|カートに入れる|加入购物车|加入購物車"
    r"|장바구니|หยิบใส่ตะกร้า|thêm vào giỏ|أضف إلى السلة|הוסף לסל"
)
"""In lower case."""


def is_buy_label(text: str) -> bool:
    """Whether a label is that of a button with which one buys."""
    return BUY.search(text.lower()) is not None
