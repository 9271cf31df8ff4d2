SELECT `Cylinders` AS `Cylinders`
FROM `cars`
GROUP BY `Cylinders`
ORDER BY `Cylinders` IS NULL ASC, `Cylinders` ASC
LIMIT 50000;
-- []
